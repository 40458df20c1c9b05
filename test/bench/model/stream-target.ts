/** The server between the visitors and the model. */
export interface StreamTarget {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `{{i}}` becomes the number of the visitor. */
  readonly body: string;
  stop(): Promise<void>;
}
