/** The words of one of the benchmark's articles, because answers without a supporting passage are not shown. */
export const pacedAnswer = 'Refunds are accepted within thirty days of purchase when the receipt is shown';
