/** The faults of a provider; each is the name of a model that has it. */
export const faults = [
  { model: 'limited', what: '429 with `Retry-After`' },
  { model: 'broken', what: '500' },
  { model: 'refused', what: 'connection refused' },
  { model: 'hanging', what: 'hangs before the first byte' },
  { model: 'cut', what: 'breaks off in the middle' },
  { model: 'garbled', what: 'malformed JSON' },
  { model: 'locked', what: '401, a wrong key' },
] as const;
