/** One printed line. Coordinates are in points, `y` grows upwards. */
export interface PdfLine {
  /** From 0. */
  readonly page: number;
  readonly text: string;
  /** The text parted at gaps too wide for a space: the cells, if this is a row of a table. */
  readonly cells: readonly string[];
  readonly left: number;
  readonly right: number;
  readonly y: number;
  /** Of most of the line, in points. */
  readonly fontSize: number;
  /** The reader's name for the one font of the line; null where fonts mix. */
  readonly font: string | null;
}
