/** Something that was said where nobody had spoken to us yet. */
export interface EarlierMessage {
  /** The name of who said it, or the platform's own for him. */
  readonly author: string;
  readonly text: string;
}
