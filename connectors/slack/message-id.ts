interface Place {
  readonly channel: string;
  /** What Slack numbers messages with: a time that is unique to the channel. */
  readonly ts: string;
}

/** Only together with the channel is the time of a message unique to the account. */
export function writeMessageId({ channel, ts }: Place): string {
  return `${channel}/${ts}`;
}

export function readMessageId(id: string): Place | null {
  const [, channel, ts] = /^([^/]+)\/(\d+\.\d+)$/.exec(id) ?? [];
  return channel === undefined || ts === undefined ? null : { channel, ts };
}
