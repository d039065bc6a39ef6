import { setting } from '../setting.ts';
import { decimal, integer, oneOf, port, text, webUrl } from '../values.ts';

export const auditSettings = {
  level: setting(
    { env: 'SECATEUR_AUDIT', flag: 'audit', value: oneOf(['full', 'figures', 'off']), fallback: 'full' },
    'What is recorded. `full`: the savings ledger, and for each cut the reason why each line was kept or removed, stored as long as the text can be recovered. `figures`: only the ledger, which contains no text. `off`: nothing; the dashboard and `/metrics` are not served.',
  ),
  ledgerMaxBytes: setting(
    { env: 'SECATEUR_LEDGER_MAX_BYTES', value: integer({ min: 65_536 }), fallback: 536_870_912 },
    'Maximum size of the savings ledger in bytes, about 200 per cut; the oldest entries are deleted first. The default is enough for 400 days at 100,000 cuts per month.',
  ),
  ledgerMaxAgeDays: setting(
    { env: 'SECATEUR_LEDGER_MAX_AGE_DAYS', value: integer({ min: 1, max: 36_500 }), fallback: 400 },
    'Days for which an entry of the savings ledger is kept.',
  ),
  pagePort: setting(
    { env: 'SECATEUR_PAGE_PORT', value: port, fallback: 8010 },
    'Port of `secateur page --serve`; 0 chooses a free port. With `secateur up` the dashboard is on the pruner’s port.',
  ),
  otlpEndpoint: setting<string | undefined>(
    { env: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: webUrl, fallback: undefined },
    'Collector to which traces are sent (OTLP over HTTP, JSON). Without it no traces are sent.',
  ),
  otlpHeaders: setting<string | undefined>(
    { env: 'OTEL_EXPORTER_OTLP_HEADERS', value: text, fallback: undefined, secret: true },
    'Headers for `OTEL_EXPORTER_OTLP_ENDPOINT`, such as authorization: `name=value`, separated by commas, values percent-encoded.',
  ),
  priceModel: setting<string | undefined>(
    { env: 'SECATEUR_PRICE_MODEL', value: text, fallback: undefined },
    'Name of the model that the `SECATEUR_PRICE_*` settings are for; shown beside every sum of money.',
  ),
  priceInput: price(
    'INPUT',
    'Price of a million input tokens; `cost_estimated_usd` uses it if the currency is USD, else 3. Without it no other sum of money is shown.',
  ),
  priceCacheWrite: price('CACHE_WRITE', 'Price of a million tokens written to the prompt cache.'),
  priceCacheRead: price('CACHE_READ', 'Price of a million tokens read from the prompt cache.'),
  priceCurrency: setting(
    { env: 'SECATEUR_PRICE_CURRENCY', value: text, fallback: 'USD' },
    'Currency of the `SECATEUR_PRICE_*` settings.',
  ),
};

function price(env: string, doc: string) {
  return setting<number | undefined>(
    { env: `SECATEUR_PRICE_${env}`, value: decimal, fallback: undefined },
    doc,
  );
}
