/**
 * The arguments with which a test starts a program of the project. It lives for seconds, and optimising the code of
 * its database, as Node does by default, takes longer.
 */
export const nodeArguments = ['--disable-warning=ExperimentalWarning', '--liftoff-only'] as const;
