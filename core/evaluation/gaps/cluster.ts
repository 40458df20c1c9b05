/** `nothing`: no document is near; `refused`: one is, and was no answer; `person`: the visitor asked for a person instead. */
export const gapKinds = ['nothing', 'refused', 'person'] as const;
export type GapKind = (typeof gapKinds)[number];

/** A question as it is compared. Questions of different kinds, languages or models are never compared. */
export interface SortableQuestion {
  readonly kind: GapKind;
  /** ISO 639-1. */
  readonly language: string;
  /** The embedding model of the vector; -1: hashed words. */
  readonly modelId: number;
  /** Of unit length. */
  readonly vector: readonly number[];
}

/** Questions that are about the same. */
export interface Cluster extends Omit<SortableQuestion, 'vector'> {
  readonly id: string;
  count: number;
  /** The mean of the vectors of its questions. */
  mean: readonly number[];
}

/**
 * The least cosine of a question and the middle of its cluster. With the built-in model and 400 questions about 50 topics, .81
 * of the pairs in one cluster are about one topic, and .87 of the pairs about one topic are in one cluster.
 */
export const LEAST_COSINE = 0.6;

/** Returns the nearest cluster that a question belongs to; null if it begins one. Pure. */
export function findCluster(
  clusters: Iterable<Cluster>,
  question: SortableQuestion,
  leastCosine: number,
): Cluster | null {
  let best: Cluster | null = null;
  let most = leastCosine;
  for (const cluster of clusters) {
    if (!isComparable(cluster, question)) continue;
    const near = cosine(cluster.mean, question.vector);
    if (near < most) continue;
    most = near;
    best = cluster;
  }
  return best;
}

/** Adds a question to a cluster, whose middle moves. */
export function joinCluster(cluster: Cluster, { vector }: SortableQuestion): void {
  const { count, mean } = cluster;
  cluster.mean = mean.map((value, index) => (value * count + (vector[index] ?? 0)) / (count + 1));
  cluster.count = count + 1;
}

function isComparable(cluster: Cluster, question: SortableQuestion): boolean {
  return (
    cluster.kind === question.kind &&
    cluster.language === question.language &&
    cluster.modelId === question.modelId
  );
}

/** The cosine of two vectors; 0 if one of them is empty. Pure. */
export function cosine(one: readonly number[], other: readonly number[]): number {
  let [product, length, otherLength] = [0, 0, 0];
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? 0;
    product += value * against;
    length += value * value;
    otherLength += against * against;
  }
  return length === 0 || otherLength === 0 ? 0 : product / Math.sqrt(length * otherLength);
}
