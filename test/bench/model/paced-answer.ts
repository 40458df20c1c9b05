/** Word for word from one of the benchmark's articles: answers that no passage holds up are not shown. */
export const pacedAnswer = 'Refunds are accepted within thirty days of purchase when the receipt is shown';
