"""The rules: a folder for each subject, whose rules share the prefix of their ids; each module registers its own by decorator."""
