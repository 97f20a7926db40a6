"""`python -m starebrain`."""

from starebrain.cli import main

main()
