/** So many answers within a time. */
export interface ReplyLimit {
  readonly count: number;
  readonly withinMs: number;
}

/** What ends a dialogue with a machine that does not say that it is one. What people wrote does not count. */
export interface ReplyLimits {
  readonly perConversation: ReplyLimit;
  /** Over all his conversations. */
  readonly perSender: ReplyLimit;
}
