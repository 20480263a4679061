"""What invocations do together: atomics, barriers, groups; scopes and memory semantics."""
