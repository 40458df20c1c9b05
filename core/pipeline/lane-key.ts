/** A conversation on a platform: what is said there is answered, and what is answered is sent, in order. */
export interface LaneKey {
  readonly channelId: string;
  readonly lane: string;
}
