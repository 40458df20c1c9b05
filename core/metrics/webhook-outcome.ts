/** What became of a request of a platform. Refused: its signature did not fit. Failed: it is sent again. */
export type WebhookOutcome = 'accepted' | 'ignored' | 'refused' | 'failed';
