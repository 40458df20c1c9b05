/**
 * The arguments with which a test starts a program of the project. It lives for seconds: to optimise the code of its
 * database, as Node does meanwhile, takes longer than it runs.
 */
export const nodeArguments = ['--disable-warning=ExperimentalWarning', '--liftoff-only'] as const;
