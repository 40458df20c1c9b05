/** What the descriptions of all conversation routes have in common. */
export const conversationRoute = { tags: ['Conversations'], security: [{ apiKey: [] }] };
