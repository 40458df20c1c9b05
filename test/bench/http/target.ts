/** A server under load. */
export interface Target {
  readonly name: string;
  readonly address: string;
  readonly pid: number;
  readonly headers: readonly string[];
  /** `{{i}}` becomes a counter. */
  readonly body: string;
  stop(): Promise<void>;
}
