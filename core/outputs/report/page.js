"use strict";
{
  // Without this script the page is whole; it writes the command for the hunks that are ticked, and moves by keys.
  const boxes = Array.from(document.querySelectorAll("input.pick"));
  const command = document.getElementById("command");

  // 1, 2, 3, 5 as "1-3,5".
  const ranges = (numbers) => {
    const parts = [];
    for (const number of numbers) {
      const last = parts.at(-1);
      if (last?.[1] === number - 1) last[1] = number;
      else parts.push([number, number]);
    }
    return parts.map(([from, to]) => (from === to ? `${from}` : to === from + 1 ? `${from},${to}` : `${from}-${to}`))
      .join(",");
  };

  const show = () => {
    const ticked = boxes.filter((box) => box.checked);
    const whole = ticked.length === 0 || ticked.length === Number(command.dataset.hunks);
    const numbers = ticked.map((box) => Number(box.value));
    command.firstElementChild.textContent = command.dataset.command + (whole ? "" : ` --hunks ${ranges(numbers)}`);
    document.getElementById("chosen").textContent = ticked.length
      ? `To take ${ticked.length} of ${command.dataset.hunks} hunks:`
      : "To take the whole change (tick hunks to take only these):";
    for (const box of boxes) box.closest(".hunk").classList.toggle("picked", box.checked);
  };

  const tick = (chosen) => {
    for (const box of boxes) box.checked = chosen(Number(box.value));
    show();
  };

  // `report.html#hunks=1,3-5` begins with these ticked.
  const readHash = () => {
    const match = /^#hunks=([0-9,-]{1,10000})$/.exec(location.hash);
    if (!match) return;
    const spans = match[1].split(",").map((part) => part.split("-").map(Number));
    tick((number) => spans.some(([from, to = from]) => Math.min(Math.max(number, from), to) === number));
  };

  const copy = async (event) => {
    const code = command.firstElementChild;
    try {
      await navigator.clipboard.writeText(code.textContent);
      event.target.textContent = "Copied";
      setTimeout(() => { event.target.textContent = "Copy"; }, 1500);
    } catch {
      getSelection().selectAllChildren(code);
    }
  };

  if (command) {
    for (const [id, action] of [["copy", copy], ["all", () => tick(() => true)], ["none", () => tick(() => false)]]) {
      const button = document.getElementById(id);
      button.hidden = false;
      button.addEventListener("click", action);
    }
    for (const box of boxes) box.addEventListener("change", show);
    addEventListener("hashchange", readHash);
    show();
    readHash();
  }

  const hunks = Array.from(document.querySelectorAll(".hunk"));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !["j", "k"].includes(event.key) || !hunks.length) return;
    const tops = hunks.map((hunk) => hunk.getBoundingClientRect().top);
    const found = event.key === "j" ? tops.findIndex((top) => top > 60) : tops.findLastIndex((top) => -1 > top);
    if (found === -1) return;
    hunks[found].scrollIntoView({ block: "start" });
    hunks[found].querySelector("input")?.focus({ preventScroll: true });
  });
}
