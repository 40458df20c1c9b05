/** The texts of a field that the server describes with a JSON schema. Absent ones are shown in the server's words. */
export interface FieldTexts {
  readonly title?: string;
  readonly description?: string;
  readonly effect?: string;
  /** The names of the values to choose from. */
  readonly options?: Readonly<Record<string, string>>;
}

/**
 * By the path of a field, such as `sla.resolution_minutes`, or by its last part alone. The server's words are English
 * already.
 */
export const fields: Readonly<Record<string, FieldTexts>> = {
  handover: {
    description:
      'In turn, or to whoever has the fewest open, of the people who are available. Nobody: it stays in the queue. Without an answer it goes on to the next person after the minutes below.',
  },
  'handover.assignment': {
    options: { none: 'Nobody', round_robin: 'In turn', least_busy: 'Whoever has the fewest open' },
  },
};

/** Those of channels, by `kind.field` or by `field` alone. */
export const channelFields: Readonly<Record<string, FieldTexts>> = {};
