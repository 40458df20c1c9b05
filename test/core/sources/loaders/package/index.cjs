const { connect } = require('node:net');
const { readFileSync } = require('node:fs');

/** What a loader of LangChain looks like, with the mistakes and attacks that tests need. */
class SampleLoader {
  constructor(what, options = {}) {
    this.what = what;
    this.options = options;
  }

  async load() {
    const { what, options } = this;
    if (what === 'fetch') {
      const response = await fetch(options.url, { method: 'POST', headers: { 'x-token': options.token }, body: 'Hello' });
      return [{ pageContent: await response.text(), metadata: { source: options.url } }];
    }
    if (what === 'fail') throw new TypeError(`The token ${options.token} is not valid.`);
    if (what === 'environment') return [{ pageContent: JSON.stringify(process.env), metadata: {} }];
    if (what === 'file') return [{ pageContent: readFileSync(options.path, 'utf8'), metadata: {} }];
    if (what === 'socket') return new Promise((resolve, reject) => connect(80, '127.0.0.1').on('error', reject).on('connect', resolve));
    if (what === 'wait') return new Promise(() => setInterval(() => undefined, 1_000));
    if (what === 'memory') for (const all = []; ; ) all.push(new Array(1_000_000).fill(all.length));
    if (what === 'exit') process.exit(0);
    return [
      { pageContent: 'First page.', metadata: { source: 'https://acme.example/a', title: 'Manual', loc: { page: 1 } } },
      { pageContent: 'Second page.', metadata: { source: 'https://acme.example/a', loc: { page: 2 } } },
      { pageContent: 'Other.', metadata: { id: 'b-1', url: 'https://acme.example/b' } },
    ];
  }
}

module.exports = { helper: 1, SampleLoader };
