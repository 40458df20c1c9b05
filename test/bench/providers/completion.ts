/** An answer in OpenAI's dialect, or a piece of one. */
export function completion(said: object) {
  return { id: '1', created: 1, model: 'stand-in', choices: [{ index: 0, ...said, finish_reason: null }] };
}
