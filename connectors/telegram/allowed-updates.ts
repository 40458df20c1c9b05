/** What Telegram tells us of; of everything else it tells nobody. */
export const allowedUpdates = ['message', 'edited_message', 'my_chat_member', 'callback_query'] as const;
