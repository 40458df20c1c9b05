interface Place {
  readonly channel: string;
  readonly message: string;
}

/** A message is found by its own id together with that of its channel. */
export function writeMessageId({ channel, message }: Place): string {
  return `${channel}/${message}`;
}

export function readMessageId(id: string): Place | null {
  const [, channel, message] = /^(\d+)\/(\d+)$/.exec(id) ?? [];
  return channel === undefined || message === undefined ? null : { channel, message };
}
