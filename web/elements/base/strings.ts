import type { Language } from './language.js';

const en = {
  loading: 'Loading the computing module…',
  failed: 'The computing module could not be loaded.',
  checkNetwork: 'Check the network, then try again.',
  wrongFile:
    'The server sent something else in place of a file: a matter of how the site is set up, not of the network.',
  retry: 'Try again',
};

const ko: typeof en = {
  loading: '계산 모듈을 불러오고 있어요…',
  failed: '계산 모듈을 불러오지 못했어요.',
  checkNetwork: '네트워크를 확인한 뒤 다시 시도해 주세요.',
  wrongFile: '서버가 파일 대신 다른 것을 보냈어요. 네트워크가 아니라 사이트 설정의 문제예요.',
  retry: '다시 시도',
};

/** Messages of all elements while the module loads, or if loading failed. */
export const loadingStringsFor = (language: Language): typeof en => ({ en, ko })[language];

/** Formats a weight for a figure. */
export const formatWeight = (weight: number, digits = 2): string => weight.toFixed(digits);

export const percent = (share: number): string => `${Math.round(100 * share)}%`;

/** Formats a difference of weights for a figure, with its sign. */
export const formatDifference = (difference: number, digits = 2): string => {
  const size = Math.abs(difference).toFixed(digits);
  return Number(size) === 0 ? size : `${difference < 0 ? '−' : '+'}${size}`;
};
