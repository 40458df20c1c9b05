/** A part of a block's text. */
export interface TextPart {
  readonly text: string;
  /** The white space that stood before it: put back where it follows another part in a passage. */
  readonly separator: string;
  /** How bad it is to begin a passage here; 0 between blocks. */
  readonly breakCost: number;
}

/** A part that stays whole. */
export interface TextUnit extends TextPart {
  /** Whether it makes little sense without what follows it. */
  readonly leadsOn: boolean;
}

/** How large a passage may become, and how its word pieces are counted. */
export interface PassageSize {
  readonly maxCharacters: number;
  readonly maxPieces: number;
  readonly countPieces: (text: string) => number;
}

export function fits(text: string, { maxCharacters, maxPieces, countPieces }: PassageSize): boolean {
  return text.length <= maxCharacters && countPieces(text) <= maxPieces;
}
