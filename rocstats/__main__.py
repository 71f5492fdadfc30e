"""Run the command line: ``python -m rocstats``."""

from rocstats.cli import main

raise SystemExit(main())
