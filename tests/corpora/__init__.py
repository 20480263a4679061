"""Agreement with the reference validator on the modules of real projects; by command, `python -m tests.corpora FOLDER`."""
