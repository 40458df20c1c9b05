interface Place {
  readonly chat: number;
  readonly message: number;
}

/** Telegram counts the messages of each chat anew: only together with the chat's is the id unique to the bot. */
export function writeMessageId({ chat, message }: Place): string {
  return `${chat}/${message}`;
}

export function readMessageId(id: string): Place | null {
  const [, chat, message] = /^(-?\d+)\/(\d+)$/.exec(id) ?? [];
  return chat === undefined || message === undefined
    ? null
    : { chat: Number(chat), message: Number(message) };
}
