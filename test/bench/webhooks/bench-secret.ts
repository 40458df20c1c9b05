/** What is told to a counterpart that takes the secret of its webhook from us. */
export const benchSecret = 'bench-signing-secret';
