/** Who reads and changes conversations. */
export interface InboxUser {
  /** Every workspace of this owner is in reach. */
  readonly ownerId: string;
  /** Under which changes are told. */
  readonly name: string;
}
