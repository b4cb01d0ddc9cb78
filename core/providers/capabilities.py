"""Which models can't call tools, as far as their providers' documents say.

What stands in no table is taken to be able: a server that can't says so clearly, and the text protocol is tried then.
"""

from __future__ import annotations

from .quirk_row import Quirks

# Families of ollama's own library whose templates have no place for tools: https://ollama.com/search?c=tools lists the
# others. Models of other people's namespaces have templates of their own.
_OLLAMA_WITHOUT = frozenset((
    "bakllava", "codebooga", "codegemma", "codellama", "codestral", "codeup", "deepseek-coder", "deepseek-coder-v2",
    "deepseek-llm", "deepseek-r1", "deepseek-v2", "deepseek-v2.5", "dolphin-llama3", "dolphin-mistral",
    "dolphin-mixtral", "dolphin-phi", "exaone3.5", "falcon", "falcon2", "falcon3", "gemma", "gemma2", "gemma3",
    "gemma3n", "glm4", "granite-code", "internlm2", "llama-pro", "llama2", "llama2-uncensored", "llama3",
    "llama3-chatqa", "llama3.2-vision", "llava", "llava-llama3", "llava-phi3", "magicoder", "medllama2", "minicpm-v",
    "mistral-openorca", "mistrallite", "moondream", "neural-chat", "nous-hermes", "nous-hermes2",
    "nous-hermes2-mixtral", "openchat", "openhermes", "orca-mini", "orca2", "phi", "phi3", "phi3.5", "phi4",
    "phi4-reasoning", "phind-codellama", "qwen", "smollm", "solar", "sqlcoder", "stable-beluga", "stable-code",
    "stablelm-zephyr", "stablelm2", "starcoder", "starcoder2", "starling-lm", "tinydolphin", "tinyllama", "tulu3",
    "vicuna", "wizard-math", "wizard-vicuna", "wizardcoder", "wizardlm", "wizardlm2", "xwinlm", "yarn-llama2",
    "yarn-mistral", "yi", "yi-coder", "zephyr",
))  # fmt: skip

# Each model's page at https://platform.openai.com/docs/models says "Function calling: not supported".
_OPENAI_WITHOUT = ("gpt-5-chat", "chatgpt-4o", "o1-mini", "o1-preview")


def supports_function_calling(row: Quirks, model: str) -> bool:
    """Whether tools may be offered to this model of this provider."""
    name = model.strip().lower()
    if row.name == "ollama":
        return _ollama_family(name) not in _OLLAMA_WITHOUT
    if row.name in ("openai", "azure", "github"):
        return not name.removeprefix("openai/").startswith(_OPENAI_WITHOUT)
    return True


def _ollama_family(name: str) -> str:
    """The name without its tag; empty where it isn't one of ollama's own library."""
    own = name.removeprefix("registry.ollama.ai/").removeprefix("library/")
    return "" if "/" in own else own.partition(":")[0]
