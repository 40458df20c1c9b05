/** So much may be sent under a key. */
export interface Budget {
  /** Unique within the account. */
  readonly key: string;
  /** On average, one in so many milliseconds. */
  readonly everyMs: number;
  /** As many may go at once after a pause. */
  readonly burst: number;
  /** One for all accounts that share an app's token, and counted where that is; each account has its own else. */
  readonly ofApp?: true;
}
