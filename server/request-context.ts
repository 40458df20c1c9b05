/** What one step of a request finds out and later steps of the same request need. */
export class RequestContext<Value> {
  readonly #name: string;
  readonly #values = new WeakMap<object, Value>();

  constructor(name: string) {
    this.#name = name;
  }

  set(request: object, value: Value): void {
    this.#values.set(request, value);
  }

  /** Undefined where that step was not reached. */
  find(request: object): Value | undefined {
    return this.#values.get(request);
  }

  get(request: object): Value {
    const value = this.find(request);
    if (value === undefined) throw new TypeError(`no ${this.#name}: the route lacks the step that finds it`);
    return value;
  }
}
