import { LruMap } from '../kube/lru-map';

/** Milliseconds. */
const HOUR = 3_600_000;

/** Maximum number of cached formats: one takes 30 KiB of memory, and 0.05 ms to create. */
const MAX_FORMATS = 64;

const FORMATS = new LruMap<string, Intl.DateTimeFormat>(MAX_FORMATS);

/**
 * Maximum number of cached valid names: the IANA database has 600. A format that only validates a
 * name would stay in memory until garbage collection.
 */
const MAX_NAMES = 1_024;

const NAMES = new LruMap<string, true>(MAX_NAMES);

/**
 * Returns the key of a name in any case. It is a copy, as a slice would keep the whole text in
 * memory.
 */
function keyOf(name: string): string {
  return Buffer.from(name.toLowerCase()).toString();
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const key = keyOf(timeZone);
  const known = FORMATS.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
  });
  FORMATS.set(key, format);
  return format;
}

/** Names of the IANA database: only ASCII, and at most 32 characters. */
const NAME = /^[a-z][a-z0-9_+/-]{0,63}$/i;

/** Whether a time zone with this name exists in the IANA database. `Local` does not. @internal */
export function isTimeZone(name: string): boolean {
  // Only newer JavaScript supports offsets such as +01:00, and Go does not.
  if (!NAME.test(name) || /^SystemV\//i.test(name) || suggestedZone(name) !== undefined) return false;
  const key = keyOf(name);
  if (NAMES.get(key)) return true;
  try {
    formatOf(name);
    NAMES.set(key, true);
    return true;
  } catch {
    return false;
  }
}

/**
 * Abbreviations that JavaScript supports for old Java programs, some with surprising meanings (BST
 * is Bangladesh, AST Alaska). The IANA database, and so Go, does not have them. Each has the zone
 * that users most often mean.
 */
const SUGGESTED_ZONES: Readonly<Record<string, string>> = {
  ACT: 'Australia/Darwin', AET: 'Australia/Sydney', AGT: 'America/Argentina/Buenos_Aires', ART: 'Africa/Cairo', AST: 'America/Halifax',
  BET: 'America/Sao_Paulo', BST: 'Europe/London', CAT: 'Africa/Maputo', CNT: 'America/St_Johns', CST: 'America/Chicago',
  CTT: 'Asia/Shanghai', EAT: 'Africa/Nairobi', ECT: 'Europe/Paris', IET: 'America/Indiana/Indianapolis', IST: 'Asia/Kolkata',
  JST: 'Asia/Tokyo', MIT: 'Pacific/Apia', NET: 'Asia/Yerevan', NST: 'America/St_Johns', PLT: 'Asia/Karachi',
  PNT: 'America/Phoenix', PRT: 'America/Puerto_Rico', PST: 'America/Los_Angeles', SST: 'Pacific/Pago_Pago', VST: 'Asia/Ho_Chi_Minh',
};

/**
 * Returns the zone that users most often mean by an abbreviation outside the IANA database;
 * undefined for other names.
 * @internal
 */
export function suggestedZone(name: string): string | undefined {
  return Object.hasOwn(SUGGESTED_ZONES, name.toUpperCase()) ? SUGGESTED_ZONES[name.toUpperCase()] : undefined;
}

/** Returns the offset of a time zone from UTC at an instant, in milliseconds. @internal */
export function offsetAt(timeZone: string, instant: number): number {
  if (timeZone === 'UTC') return 0;
  const part: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) part[type] = Number(value);
  const local = Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!, part.second!);
  return local - Math.floor(instant / 1000) * 1000;
}

/**
 * Step of the search for changes. Clocks are never set forward and back within a step: in Morocco,
 * where they follow Ramadan, a month is between the two.
 */
const STEP = 7 * 24 * HOUR;

/**
 * Returns the first instant after another one, up to an end, at which the offset of a time zone
 * changes.
 * @internal
 */
export function nextChange(timeZone: string, after: number, end: number): number | undefined {
  if (timeZone === 'UTC') return undefined;
  const offset = offsetAt(timeZone, after);
  let low = after;
  while (low < end) {
    const high = Math.min(low + STEP, end);
    if (offsetAt(timeZone, high) !== offset) return firstOf(low, high, (instant) => offsetAt(timeZone, instant) !== offset);
    low = high;
  }
  return undefined;
}

/** Returns the first whole second in (low, high] with a property that all later ones also have. */
function firstOf(low: number, high: number, has: (instant: number) => boolean): number {
  let [before, since] = [Math.floor(low / 1000), Math.ceil(high / 1000)];
  while (since - before > 1) {
    const middle = Math.floor((before + since) / 2);
    if (has(middle * 1000)) since = middle;
    else before = middle;
  }
  return since * 1000;
}
