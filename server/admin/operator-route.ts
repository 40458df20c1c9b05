/** What the descriptions of all operator routes have in common. */
export const operatorRoute = { tags: ['Operator'], security: [{ adminToken: [] }] };
