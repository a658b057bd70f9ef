"""`python -m sm_p2p` is the command `sm-p2p`."""

from sm_p2p.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
