"""`python -m orefactor` is the same program as `git-orefactor`."""

import sys

from orefactor.cli.main import main

sys.exit(main())
