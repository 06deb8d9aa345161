/** Which row of a table a distance of key and query has, as transformers computes it. */
import { rangeError } from '../api/errors.js';
import { whole } from './config-fields.js';

/** No model has seen texts in which tokens are further apart. */
export const MOST_DISTANCE = 2 ** 16;

/** How many buckets T5 and MPNet have. */
export const BUCKETS = whole(32, 4, 4096);

/** From −most to most: the rows by distance of a key from its query. */
const byDistance = (most: number, rowOf: (distance: number) => number): number[] =>
  Array.from({ length: 2 * most + 1 }, (_, i) => rowOf(i - most));

/**
 * T5's buckets: small distances have one each, larger ones share one the more the larger they are.
 *
 * @param isBoth whether later keys have buckets of their own, as in encoders
 * @throws RangeError for so many buckets that they hold all distances one by one
 * @see transformers' `T5Attention._relative_position_bucket`
 */
export function t5Buckets(count: number, maxDistance: number, isBoth: boolean): number[] {
  const buckets = isBoth ? Math.floor(count / 2) : count;
  const exact = Math.floor(buckets / 2);
  if (maxDistance <= exact) {
    const expected = `be below ${maxDistance * (isBoth ? 4 : 2)} for distances up to ${maxDistance}, got ${count}`;
    throw rangeError('config.json: relative_attention_num_buckets', expected);
  }
  // Rounded as torch does: a logarithm of float32.
  const { fround } = Math;
  const shared = (distance: number) => {
    const log = fround(fround(Math.log(fround(distance / exact))) / fround(Math.log(maxDistance / exact)));
    return Math.min(buckets - 1, exact + Math.floor(fround(log * (buckets - exact))));
  };
  const bucketOf = (distance: number) => (distance < exact ? distance : shared(distance));
  return byDistance(maxDistance, (distance) =>
    isBoth ? bucketOf(Math.abs(distance)) + (distance > 0 ? buckets : 0) : bucketOf(Math.max(0, -distance)),
  );
}

/**
 * DeBERTa's rows, of `2·span`: distances up to half of `span` have one each, larger ones share them up to `maxDistance`.
 *
 * @param isLogarithmic false: each distance up to `span` has a row of its own
 * @throws RangeError for buckets that hold all distances already
 * @see transformers' `make_log_bucket_position` of DeBERTa-v2
 */
export function debertaRows(span: number, maxDistance: number, isLogarithmic: boolean): number[] {
  const middle = Math.floor(span / 2);
  if (isLogarithmic && (middle < 1 || maxDistance <= middle + 1)) {
    const expected = `be from 2 to ${2 * maxDistance - 3} for distances up to ${maxDistance}, got ${span}`;
    throw rangeError('config.json: position_buckets', expected);
  }
  const { fround } = Math;
  const bucketOf = (distance: number): number => {
    const size = Math.abs(distance);
    if (!isLogarithmic || size <= middle) return distance;
    const share = fround(
      fround(Math.log(fround(size / middle))) / fround(Math.log((maxDistance - 1) / middle)),
    );
    return Math.sign(distance) * (Math.ceil(fround(share * (middle - 1))) + middle);
  };
  // There a distance is that of a query from its key.
  return byDistance(isLogarithmic ? 2 * maxDistance : span, (distance) =>
    Math.min(Math.max(bucketOf(-distance) + span, 0), 2 * span - 1),
  );
}
