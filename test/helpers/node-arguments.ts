/**
 * With which a test starts a program of ours. It lives for seconds: to optimise the code of its database, as Node does
 * meanwhile, takes longer than it runs.
 */
export const nodeArguments = ['--disable-warning=ExperimentalWarning', '--liftoff-only'] as const;
