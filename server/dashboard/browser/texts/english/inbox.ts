/** The list of conversations, its views, filters and actions. */
export const inbox = {
  title: 'Inbox',
};
