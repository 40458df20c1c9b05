/** A value that one step of a request stores for later steps of the same request. */
export class RequestContext<Value> {
  readonly #name: string;
  readonly #values = new WeakMap<object, Value>();

  constructor(name: string) {
    this.#name = name;
  }

  set(request: object, value: Value): void {
    this.#values.set(request, value);
  }

  /** Undefined if that step has not run. */
  find(request: object): Value | undefined {
    return this.#values.get(request);
  }

  get(request: object): Value {
    const value = this.find(request);
    if (value === undefined)
      throw new TypeError(`no ${this.#name}: the route does not run the hook that sets it`);
    return value;
  }
}
