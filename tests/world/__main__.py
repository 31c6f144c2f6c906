"""`python -m world`, in the folder of the tests."""

from .drive import main

main()
