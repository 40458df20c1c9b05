/** The secret for a counterpart that takes the secret of its webhook from the benchmark. */
export const benchSecret = 'bench-signing-secret';
