/** A value that comes back from JSON as it was. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [field: string]: Json };
