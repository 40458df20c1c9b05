/** Numbers of a vector, as the column of the vectors takes them. */
export const DIMENSIONS = 384;
