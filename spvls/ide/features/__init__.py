"""One module a feature of editors, or a part of one."""
