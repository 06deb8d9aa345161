import type { AllTexts, PartTexts } from './texts-en.js';

const steps = {
  project: '쿼리, 키, 값 구하기: `X W_i^Q, X W_i^K, X W_i^V`',
  scores: '점수 구하기: `Q_i K_i^T / √k`',
  softmax: '행마다 소프트맥스 적용하기',
  values: '값에 가중치 곱해 더하기: 가중치 `· V_i`',
  concat: '이어 붙이기: `Concat(H_1, …, H_h)`',
  output: '출력 투영 행렬 곱하기: `· W^O`',
};

/** Exercise 4's feedback on a wrong name: `ask` says which formula it needs, `has` what the given formula is. */
const ask = {
  attention: '어텐션이라면 가중치에 `V` 행렬까지 곱해야 해요.',
  scores: '점수라면 소프트맥스를 적용하기 전이어야 해요.',
  weights: '가중치라면 소프트맥스를 적용하고 `V` 행렬은 아직 곱하지 않았어야 해요.',
};
const has = {
  scaled: '이 수식에는 소프트맥스도 `V` 행렬도 없어요.',
  weights: '이 수식은 소프트맥스를 적용했지만 `V` 행렬은 곱하지 않았어요.',
  context: '이 수식은 소프트맥스를 적용하고 `V` 행렬까지 곱했어요.',
};
/** Exercise 4's feedback on a wrong meaning: what numbers a row would then have, and (below) which it has. */
const askNumbers = {
  attention: '새로운 표현이라면 한 행에 차원마다 수가 하나씩, 모두 `{v}` 개 있어야 해요.',
  scores: '점수라면 한 행에 토큰마다 수가 하나씩, 모두 `{n}` 개 있고 합은 정해져 있지 않아야 해요.',
  weights: '확률 분포라면 한 행에 토큰마다 수가 하나씩, 모두 `{n}` 개 있고 합이 1이어야 해요.',
};
const hasNumbers = '이 수식의 첫 행: 수 `{count}` 개, 합 `{sum}`.';
const names = {
  attention: '(스케일드) 닷 프로덕트 어텐션',
  scores: '(스케일드) 어텐션 점수',
  weights: '어텐션 가중치',
};
const meanings = {
  attention: '시퀀스의 새로운 표현',
  scores: '각 토큰이 각 토큰을 얼마나 보는지 나타낸 점수(정규화 전)',
  weights: '토큰마다 얼마나 볼지 나타낸 확률 분포',
};
const formulas = {
  scaled: '`Q K^T / √k`',
  weights: '`softmax(Q K^T / √k)`',
  context: '`softmax(Q K^T / √k) V`',
};

const right = {
  scaled: '맞아요. 아직 소프트맥스를 적용하지 않은 점수예요.',
  weights: '맞아요. 소프트맥스가 행마다 합을 1로 만들어요.',
  context: '맞아요. 값에 가중치를 곱해 더한 결과예요.',
};

const match = (formula: keyof typeof formulas): Record<string, PartTexts> => {
  const saysOfName = {
    attention: `${ask.attention} ${has[formula]}`,
    scores: `${ask.scores} ${has[formula]}`,
    weights: `${ask.weights} ${has[formula]}`,
    right: right[formula],
    missing: `${formulas[formula]}: 이름을 골라 보세요.`,
  };
  const saysOfMeaning = {
    attention: `${askNumbers.attention} ${hasNumbers}`,
    scores: `${askNumbers.scores} ${hasNumbers}`,
    weights: `${askNumbers.weights} ${hasNumbers}`,
    right: `맞아요. ${hasNumbers}`,
    missing: `${formulas[formula]}: 뜻을 골라 보세요.`,
  };
  return {
    [`${formula}Name`]: { prompt: `${formulas[formula]} 이름`, options: names, says: saysOfName },
    [`${formula}Meaning`]: { prompt: `${formulas[formula]} 뜻`, options: meanings, says: saysOfMeaning },
  };
};

/** No particle follows a formula, number or token, because the right one (은/는, 이/가, 을/를) depends on how it is read. */
export const ko: AllTexts = {
  1: {
    title: '입력 행렬 채우기',
    statement: [
      '문장 `attention is all you need` 하나를 길이 `n = {n}` 인 입력 행렬 `X` 하나로 나타내 보세요. 문서 002의 첫 번째 연습 문제예요.',
      '어휘에 있는 토큰의 집합은 `T = [all, attention, cat, is, need, transformer, you]` 이고, 토큰은 원핫 벡터로 나타내요. 문장의 끝을 알리는 특수 토큰은 없어요.',
    ],
    hint: '원핫 벡터에는 집합 `T` 안의 토큰마다 칸이 하나씩 있어요. 문장에 없는 토큰의 칸도 있어야 해요. 문장이 끝난 뒤의 행에는 1을 넣을 칸이 있는지 생각해 보세요.',
    solution: [
      '집합 `T` 안에 토큰이 7개라서 `d = 7` 이에요. 행렬은 `8 × 7` 모양이고, 단어 5개의 행 아래에 0만 있는 행 3개가 남아요.',
      '문서에는 다른 방법도 있어요. 빈 토큰 `∅` 하나를 집합에 넣으면 `d = {otherD}` 이고, 마지막 세 행에도 1이 하나씩 들어가요.',
    ],
    caption: '입력 행렬 X (행: 문장에서의 위치, 열: 집합 T의 토큰)',
    parts: {
      d: {
        prompt: '토큰 벡터의 차원 `d`',
        says: {
          right: '맞아요. 집합의 토큰마다 칸이 하나씩이에요.',
          length:
            '`{answer}`: 시퀀스의 길이 `n`, 곧 행의 수예요. 빈 토큰 `∅` 하나까지 세었다면 그 방법에서는 맞지만, 여기 집합 `T` 안에는 그 토큰이 없어요.',
          words: '`{answer}`: 이 문장의 단어 수예요. 차원은 문장이 아니라 집합 `T` 안의 토큰 수로 정해져요.',
          entries: '`{answer}`: 행렬 `X` 전체의 칸 수예요. 차원은 한 행의 길이예요.',
          document:
            '`{answer}`: 문서의 본문에 나온 예, 토큰이 1,000개일 때의 차원이에요. 여기 집합은 훨씬 작아요.',
          below: '`{answer}`: 집합 `T` 안의 토큰 가운데 {gap}개는 1을 넣을 칸이 없어요.',
          above: '`{answer}`: 어떤 토큰도 쓰지 않는 칸이 {gap}개 남아요.',
        },
      },
      x: {
        prompt: '행렬 `X`: 1이 들어갈 칸을 눌러 켜세요. 나머지는 0이에요.',
        says: {
          right: '맞아요. 단어마다 1이 하나이고, 남은 세 행은 모두 0이에요.',
          sentenceOrder:
            '1이 대각선에 있어요. 열은 문장의 순서가 아니라 집합 `T` 안의 순서예요. 예를 들어 `attention` 칸은 2열이에요.',
          twoOnes: '{row}행에 1이 여러 개예요({columns}열). 원핫 벡터에는 1이 하나뿐이에요.',
          noOne: '{row}행이 비어 있어요. {row}번째 토큰은 `{token}`: 그 칸을 켜 보세요.',
          padding: '{row}행은 문장이 끝난 뒤예요. 여기를 켜면 문장에 없던 `{chosen}` 토큰이 생겨요.',
          wrongWord: '{row}행에 `{chosen}` 칸이 켜져 있어요. 문장의 {row}번째 토큰은 `{token}` 이에요.',
        },
      },
    },
  },
  2: {
    title: '쿼리, 키, 값의 모양',
    statement: [
      '헤드 `i` 하나는 입력 `X` 하나에 투영 행렬 세 개를 각각 곱해요: `Q_i = X W_i^Q`, `K_i = X W_i^K`, `V_i = X W_i^V`.',
      '모양은 `X: n × d`, `W_i^Q, W_i^K: d × k`, `W_i^V: d × v` 예요. 곱한 결과의 행과 열을 적어 보세요. 문서 002의 두 번째 연습 문제예요.',
    ],
    hint: '`(a × b)(b × c)` 곱에서는 가운데 `b` 쪽이 짝지어 사라지고 바깥의 `a`, `c` 쪽이 남아요.',
    solution: [
      '쿼리와 키는 `n × k`, 값은 `n × v` 모양이에요. `k`, `v` 값은 자유롭게 정할 수 있지만 논문에서는 `k = v = d / h` 예요.',
    ],
    caption: '실제로 계산한 층에서 측정한 모양',
    parts: {
      q: { prompt: '쿼리 `Q_i`', says: {} },
      k: { prompt: '키 `K_i`', says: {} },
      v: { prompt: '값 `V_i`', says: {} },
      size: {
        prompt: '논문처럼 `k = v = d / h` 일 때, `d = {d}`, `h = {h}` 이면 `k` 값은',
        says: {
          right: '맞아요. 헤드 {h}개가 모두 `{d}` 차원을 똑같이 나누어 써요.',
          whole: '`{answer}`: 나누기 전의 `d` 값이에요. 헤드마다 이만큼이면 모두 `{product}` 차원이 돼요.',
          heads: '`{answer}`: 헤드의 수 `h` 값이에요. 헤드 하나의 차원을 구해 보세요.',
          times: '`{answer}`: 나누지 않고 곱했어요(`d × h`). 헤드가 늘수록 한 헤드의 차원은 작아져요.',
          minus: '`{answer}`: `d − h` 값이에요. 빼는 것이 아니라 똑같이 나누어요.',
          inverse: '`{answer}`: `h / d` 값이에요. 나누는 방향이 거꾸로예요.',
          below: '헤드 {h}개를 모아도 `{h} × {answer} = {product}` 차원이라 `{d}` 차원에 모자라요.',
          above: '헤드 {h}개를 모으면 `{h} × {answer} = {product}` 차원이라 `{d}` 차원을 넘어요.',
        },
      },
    },
  },
  3: {
    title: '어텐션 행렬의 모양',
    statement: [
      '쿼리와 키를 곱해 점수를 얻고, 행마다 소프트맥스를 적용한 다음, 값을 곱해요. 세 행렬의 모양을 차례로 적어 보세요. 문서 002의 세 번째 연습 문제예요.',
      '모양은 `Q, K: n × k`, `V: n × v` 예요.',
    ],
    hint: '`K^T` 모양은 `k × n` 이에요. 소프트맥스는 행 안의 수를 바꾸지만 행이나 열을 없애지는 않아요.',
    solution: [
      '점수와 가중치는 `n × n` 모양이고, 모든 토큰 쌍마다 수가 하나씩이에요. 값을 곱하면 안쪽 차원 `n` 쪽이 사라지고 `n × v` 모양이 돼요.',
      '길이가 두 배이면 `{small}` 칸이 `{large}` 칸이 되어 {ratio}배예요. 그래서 긴 문장에서는 어텐션의 계산량이 많아요.',
    ],
    caption: '실제로 계산한 층에서 측정한 모양',
    parts: {
      scores: { prompt: '`Q K^T`', says: {} },
      weights: { prompt: '`softmax(Q K^T / √k)`', says: {} },
      attention: { prompt: '`softmax(Q K^T / √k) V`', says: {} },
      growth: {
        prompt:
          '참일까요, 거짓일까요? “토큰 수가 두 배가 되면 `softmax(Q K^T / √k)` 행렬의 칸 수도 두 배가 돼요.” 이유까지 골라 보세요.',
        options: {
          rows: '참: 토큰마다 행이 하나씩이라 행이 두 배가 되니까',
          same: '거짓: 소프트맥스는 모양을 바꾸지 않으니 그대로',
          four: '거짓: 행과 열이 함께 두 배가 되니까 네 배',
          width: '참: 열의 수는 차원이라 그대로이고 행만 늘어나니까',
        },
        says: {
          right: '맞아요. 실제로 계산해도 `{small}` 칸이 `{large}` 칸, 곧 {ratio}배가 돼요.',
          rows: '행이 두 배인 것은 맞아요. 그런데 열도 토큰마다 하나씩 있어요. 모든 토큰이 모든 토큰을 보기 때문이에요.',
          same: '소프트맥스가 모양을 바꾸지 않는 것은 맞아요. 하지만 소프트맥스에 들어오는 `Q K^T` 모양이 이미 달라졌어요.',
          width: '열의 수가 차원인 행렬은 `Q, K, V` 쪽이에요. 이 행렬의 열의 수는 키의 수예요.',
        },
      },
    },
  },
  4: {
    title: '수식과 이름 잇기',
    statement: [
      '문서 002의 네 번째 연습 문제는 수식과 이름을 잇는 문제예요. 이름을 몰라도 수식이 하는 계산을 따라가면 알 수 있어요.',
      '수식마다 이름과 뜻을 하나씩 골라 보세요.',
    ],
    hint: '무작위 파라미터로 실제로 계산한 첫 번째 토큰의 행이에요. 행마다 수가 몇 개인지, 합이 얼마인지 비교해 보세요.',
    solution: [
      '`Q K^T / √k` 결과는 각 토큰이 각 토큰을 얼마나 보는지 나타낸 점수(정규화 전)예요.',
      '소프트맥스를 적용하면 한 행의 합이 1인 가중치, 곧 확률 분포가 돼요.',
      '거기에 `V` 행렬을 곱한 결과가 스케일드 닷 프로덕트 어텐션이고, 시퀀스의 새로운 표현이에요.',
    ],
    caption: '첫 번째 토큰의 행: 헤드 1, 학습하지 않은 무작위 파라미터',
    parts: { ...match('scaled'), ...match('weights'), ...match('context') },
  },
  5: {
    title: '행렬 읽기',
    statement: [
      '이 연습의 행렬은 문장 `attention is all you need` 하나로 실제로 계산한 헤드 1의 행렬이에요(무작위 파라미터, 학습하지 않음). 문서 002의 다섯 번째 연습 문제처럼 행과 열과 수가 무엇을 뜻하는지 골라 보세요.',
      '토큰의 순서: `1 attention, 2 is, 3 all, 4 you, 5 need, 6–8 ∅`. 행이나 열 전체는 그 번호를 눌러 골라요.',
    ],
    hint: '`X` 행렬의 행이 토큰이었어요. 오른쪽에서 곱하면 행은 그대로 남아요. `Q K^T` 행렬에서는 쿼리가 행, 키가 열이에요.',
    solution: [
      '`Q` 행렬의 한 행은 쿼리 공간의 토큰 하나, 한 열은 그 공간의 잠재 차원 하나예요. 키와 값도 마찬가지예요.',
      '`Q K^T` 행렬의 `i` 행 `j` 열은 `i` 번째 토큰이 `j` 번째 토큰과 얼마나 관련되는지 나타내요.',
      '가중치 행렬의 한 행은 합이 1인 확률 분포예요. 다만 가리지 않으면 빈 토큰도 가중치를 받아요. 여기서는 첫 번째 행의 가중치 가운데 `∅` 토큰의 합이 {padding}%예요.',
    ],
    caption: '가중치 행렬 softmax(QKᵀ/√k)',
    parts: {
      row: {
        prompt: '`Q` 행렬: 쿼리 공간에 나타낸 토큰 `need` 하나를 고르세요.',
        says: {
          right: '맞아요. 한 행이 토큰 하나예요.',
          column:
            '고른 것은 {column}열이에요. 한 열은 모든 토큰의 잠재 차원 하나예요. 토큰 하나는 한 행이에요.',
          cell: '칸 하나는 {row}번째 토큰의 {column}번째 차원일 뿐이에요. 토큰 하나에는 모든 차원이 있어요.',
          other: '{row}행의 토큰은 `{rowToken}` 이에요. 문장에서 `need` 위치를 찾아보세요.',
        },
      },
      column: {
        prompt: '`Q` 행렬: 쿼리 공간의 두 번째 잠재 차원을 모든 토큰에 걸쳐 고르세요.',
        says: {
          right: '맞아요. 한 열이 잠재 차원 하나예요.',
          missing: '두 번째 잠재 차원을 아직 고르지 않았어요.',
          row: '고른 것은 {row}행, 곧 토큰 `{rowToken}` 하나의 모든 차원이에요. 차원 하나는 한 열이에요.',
          cell: '이 칸에는 토큰 `{rowToken}` 하나의 값만 있어요. 모든 토큰에 걸쳐 골라 보세요.',
          other: '{column}열은 {column}번째 차원이에요. 두 번째 차원을 고르세요.',
        },
      },
      cell: {
        prompt: '`Q K^T` 행렬: 토큰 `is` 쪽에서 토큰 `need` 쪽을 얼마나 보는지 나타낸 수를 고르세요.',
        says: {
          right: '맞아요. 행은 쿼리(보는 토큰), 열은 키(보이는 토큰)예요.',
          missing: '토큰 `is` 쪽에서 `need` 쪽을 보는 수를 아직 고르지 않았어요.',
          turned:
            '방향이 거꾸로예요. {row}행 {column}열은 `{rowToken}` 쪽에서 `{columnToken}` 쪽을 볼 때의 수예요. 두 수는 서로 달라요.',
          row: '{row}행 전체는 토큰 `{rowToken}` 쪽에서 모든 토큰을 본 수예요. 그 가운데 하나만 골라 보세요.',
          column:
            '{column}열 전체는 모든 토큰이 `{columnToken}` 쪽을 본 수예요. 그 가운데 하나만 골라 보세요.',
          other: '{row}행 {column}열은 `{rowToken}` 쪽에서 `{columnToken}` 쪽을 볼 때의 수예요.',
        },
      },
      sum: {
        prompt: '가중치 행렬에서 한 행의 수를 모두 더하면',
        says: {
          right: '맞아요. 어느 행이든 합은 1이에요. 반올림한 수를 더하면 조금 어긋날 수 있어요.',
          all: '`{answer}`: 행 8개를 모두 더한 합이에요. 한 행만 더해 보세요.',
          percent: '`{answer}`: 백분율이에요. 가중치는 0부터 1까지의 수예요.',
          zero: '소프트맥스의 결과는 모두 0보다 커요. 그래서 합도 0일 수 없어요.',
          column:
            '`{answer}`: 한 열의 합이에요. 소프트맥스는 행마다 적용하므로 열의 합은 정해져 있지 않아요.',
          below:
            '`{answer}`: 소프트맥스는 각 행을 그 행의 합으로 나눠요. 나눈 수를 다시 모두 더하면 얼마인지 생각해 보세요.',
          above:
            '`{answer}`: 소프트맥스는 각 행을 그 행의 합으로 나눠요. 합을 합으로 나누면 얼마인지 생각해 보세요.',
        },
      },
      read: {
        prompt: '그 행렬의 `i` 번째 행은 어떻게 읽을 수 있을까요?',
        options: {
          column: '다른 토큰들이 `i` 번째 토큰을 얼마나 보는지',
          share: '`i` 번째 토큰의 새 벡터에 각 토큰이 얼마나 기여하는지 나타낸 확률 분포',
          raw: '`i` 번째 토큰과 각 토큰의 유사도를 나타낸 점수(정규화 전)',
          vector: '`i` 번째 토큰의 새로운 표현 벡터',
        },
        says: {
          right: '맞아요. 모두 0보다 크고 합이 1이니까 확률 분포예요.',
          column: '그것은 `i` 번째 열이에요. 그리고 열의 합은 1이 아니에요.',
          raw: '그것은 소프트맥스를 적용하기 전 `Q K^T` 행렬의 행이에요. 음수도 있고 합도 정해져 있지 않아요.',
          vector:
            '그것은 `V` 행렬까지 곱한 결과의 행이에요. 이 행의 수는 차원이 아니라 토큰마다 하나씩이에요.',
        },
      },
    },
  },
  6: {
    title: '멀티헤드의 모양',
    statement: [
      '헤드의 출력을 옆으로 이어 붙이고 출력 투영 행렬을 곱해요: `MultiHead(X) = Concat(head_1, …, head_h) W^O`, 그리고 `head_i = Attention(Q_i, K_i, V_i)`.',
      '네 행렬의 모양을 적어 보세요. 헤드 하나의 `V_i` 모양은 `n × v`, 마지막 결과는 다시 입력과 같은 모양이에요. 문서 002의 여섯 번째 연습 문제예요.',
    ],
    hint: '이어 붙일 때 행은 그대로이고 열만 늘어나요. `W^O` 모양은 양쪽에 맞추어 정해져요: 왼쪽 행렬의 열과 결과의 열을 보세요.',
    solution: [
      '헤드 하나는 `n × v`, 이어 붙이면 `n × hv` 모양이에요. 여기에 `hv × d` 모양의 `W^O` 행렬을 곱해서 `n × d` 모양으로 돌아와요.',
    ],
    caption: '실제로 계산한 층에서 측정한 모양',
    parts: {
      head: { prompt: '`head_i`', says: {} },
      concat: { prompt: '`Concat(head_1, …, head_h)`', says: {} },
      wo: { prompt: '`W^O`', says: {} },
      y: { prompt: '`MultiHead(X)`', says: {} },
      entries: {
        prompt: '`n = {n}`, `d = {d}`, `h = {h}`, `k = {k}`, `v = {v}` 일 때 `W^O` 행렬에 든 수의 개수',
        says: {
          right: '맞아요. `{rows} × {columns}` 칸이에요.',
          square: '`{answer}`: `d × d` 칸을 셌어요. `hv = d` 일 때만 맞아요(여기서는 `hv = {rows}`).',
          oneHead: '`{answer}`: 헤드 하나에 해당하는 `v × d` 칸이에요. 헤드 {h}개를 이어 붙였어요.',
          withK:
            '`{answer}`: `hk × d` 칸이거나 결과 `n × d` 칸이에요. 이어 붙이는 것은 값에서 온 열이고, 투영 행렬은 토큰 수와 상관없어요.',
          sum: '`{answer}`: 행과 열을 더했어요. 칸의 수는 곱이에요.',
          concat: '`{answer}`: 이어 붙인 행렬 `n × hv` 칸이에요. 투영 행렬은 토큰 수와 상관없어요.',
          rowsOnly: '`{answer}`: 행의 수만 셌어요. 행마다 칸이 여러 개 있어요.',
          below: '`{answer}`: 너무 적어요. 먼저 `W^O` 모양을 글자로 적고 수를 넣어 곱해 보세요.',
          above: '`{answer}`: 너무 많아요. 먼저 `W^O` 모양을 글자로 적고 수를 넣어 곱해 보세요.',
        },
      },
    },
  },
  7: {
    title: '입력과 출력',
    statement: [
      '멀티헤드 어텐션은 처음에 기계 번역에 쓰였어요. 입력 `X`, 출력 `Y = MultiHead(X)` 모양을 적고, 그 뜻을 생각해 보세요. 문서 002의 일곱 번째 연습 문제예요.',
      '토큰 벡터의 차원은 `d`, 시퀀스의 길이는 `n = {n}` 값으로 정해 두었어요.',
    ],
    hint: '앞의 연습 문제에서 구한 `Concat(…) W^O` 모양을 떠올려 보세요. 행은 처음부터 끝까지 변하지 않았어요.',
    solution: [
      '`X`, `Y` 둘 다 `n × d` 모양이에요. 그래서 출력은 입력의 새로운 표현, 또는 길이가 같은 다른 시퀀스로 볼 수 있어요.',
      '문서는 영어 문장 `X` 하나를 넣으면 독일어 문장을 나타내는 `Y` 하나가 나온다고 설명해요. 실제 번역 모델은 이런 층을 여러 개 쌓고 다른 부분도 더해요.',
    ],
    caption: '실제로 계산한 층에서 측정한 모양',
    parts: {
      x: { prompt: '입력 `X`', says: {} },
      y: { prompt: '출력 `Y`', says: {} },
      rows: {
        prompt:
          '영어 문장은 `attention is all you need` 다섯 단어, 독일어 번역은 `Aufmerksamkeit ist alles, was du brauchst` 여섯 단어예요. `n = {n}` 일 때 `Y` 행렬의 행은 모두',
        says: {
          right: '맞아요. 몇 단어이든 행의 수는 정해 둔 길이 그대로예요.',
          words: '`{answer}`: 영어 단어의 수예요. 빈 토큰도 행이라서 출력에 함께 나와요.',
          translated:
            '`{answer}`: 독일어 단어의 수예요. 번역문의 길이는 어떤 곱셈에도 나오지 않아요. 행의 수는 입력에서 정해져요.',
          padding: '`{answer}`: 빈 토큰의 수예요. 단어의 행도 함께 세어야 해요.',
          width: '`{answer}`: 이 문장에서 토큰 벡터의 차원, 곧 열의 수예요.',
          entries: '`{answer}`: 칸을 모두 셌어요. 행만 세어 보세요.',
          below: '`{answer}`: 행이 줄어들 곳이 있었는지 생각해 보세요. 곱셈은 왼쪽 행렬의 행을 모두 남겨요.',
          above: '`{answer}`: 행이 늘어날 곳이 있었는지 생각해 보세요. 이어 붙이기는 열만 늘려요.',
        },
      },
      read: {
        prompt: '그렇다면 출력 `Y` 행렬은 어떻게 읽을 수 있을까요?',
        options: {
          summary: '문장 전체를 요약한 벡터 하나',
          weights: '토큰마다 어디를 보는지 적은 표',
          sequence: '길이가 같은 다른 시퀀스',
          next: '다음에 올 단어의 확률',
        },
        says: {
          right: '맞아요. 모양이 같으니까 토큰의 위치마다 새 벡터가 하나씩 있어요.',
          summary: '벡터 하나라면 행이 하나여야 해요. `Y` 행렬에는 위치마다 행이 하나씩 있어요.',
          weights: '그 표는 `n × n` 모양의 가중치예요. `Y` 행렬의 열은 토큰이 아니라 차원이에요.',
          next: '확률이라면 행의 합이 1이어야 해요. `Y` 행렬에는 소프트맥스가 없어서 음수도 나와요.',
        },
      },
    },
  },
  8: {
    title: '헤드가 섞이는 곳',
    statement: [
      '왜 헤드가 여러 개 필요할까요? 그리고 서로 다른 헤드는 어디에서 섞일까요? 문서 002의 마지막 연습 문제예요.',
    ],
    hint: '수식마다 헤드의 번호 `i` 글자가 있는지 보세요. 번호가 있으면 헤드마다 따로 계산해요. 마지막 곱셈에서 한 칸을 구할 때 어떤 수들이 더해지는지도 보세요.',
    solution: [
      '헤드마다 가중치가 달라서, 서로 다른 헤드가 토큰 사이의 서로 다른 관계를 볼 수 있어요.',
      '헤드는 마지막 곱셈에서만 섞여요: `Concat(H_1, …, H_h) W^O` 곱은 `H_1 W_1^O + … + H_h W_h^O` 합과 같아요. 실제로 계산해도 차이는 `{difference}` 이하, `float32` 반올림만큼이에요.',
    ],
    parts: {
      why: {
        prompt: '헤드를 여러 개 두는 이유는 무엇일까요?',
        options: {
          cheaper: '계산이 줄어드니까',
          relations: '헤드마다 토큰 사이의 다른 관계를 볼 수 있으니까',
          wider: '출력이 헤드 수만큼 넓어지니까',
          average: '여러 헤드의 가중치를 평균하면 더 정확해지니까',
        },
        says: {
          right:
            '맞아요. 헤드마다 소프트맥스를 따로 적용하므로, 한 토큰이 헤드마다 다른 토큰을 볼 수 있어요.',
          cheaper:
            '`k = v = d / h` 이면 곱셈의 수는 헤드 하나일 때와 같아요. 소프트맥스의 지수 계산은 오히려 헤드 수만큼 늘어요.',
          wider: '이어 붙이면 `hv` 열로 넓어지지만, `W^O` 행렬을 지나면 다시 `d` 열이에요.',
          average: '가중치는 어디에서도 평균하지 않아요. 헤드마다 자기 가중치를 자기 값에 곱해 더해요.',
        },
      },
      order: {
        prompt: '층이 하는 일을 순서대로 놓아 보세요.',
        options: steps,
        says: {
          right: '맞아요. 단계마다 바로 앞의 결과를 써요.',
          scores: '{place}번째는 너무 일러요: 점수를 구하려면 쿼리와 키가 먼저 있어야 해요.',
          softmax: '{place}번째는 너무 일러요: 소프트맥스를 적용할 점수가 아직 없어요.',
          values: '{place}번째는 너무 일러요: 값에 곱할 가중치가 아직 없어요.',
          concat: '{place}번째는 너무 일러요: 이어 붙일 헤드의 출력이 아직 없어요.',
          output: '{place}번째는 너무 일러요: `W^O` 행렬은 모든 헤드를 이어 붙인 행렬에 곱해요.',
        },
      },
      meet: {
        prompt: '그 가운데 서로 다른 헤드의 수가 처음으로 섞이는 단계는 어디일까요?',
        options: steps,
        says: {
          missing: '헤드의 수가 섞이는 단계를 아직 고르지 않았어요.',
          right: '맞아요. 출력의 한 칸을 구할 때 비로소 모든 헤드의 수가 더해져요.',
          project: '여기서는 헤드마다 자기 투영 행렬(`W_i^Q, W_i^K, W_i^V`)만 써요. 아직 섞이지 않아요.',
          scores: '`Q_i K_i^T`: 같은 헤드의 쿼리와 키만 곱해요.',
          softmax: '소프트맥스는 한 헤드의 한 행 안에서만 계산해요. 행은 헤드가 아니라 토큰이에요.',
          values: '가중치도 값도 같은 헤드의 것이에요. 여기서는 헤드가 아니라 토큰이 섞여요.',
          concat: '아쉬워요. 이어 붙여도 각 칸은 여전히 한 헤드의 수예요.',
        },
      },
      sum: {
        prompt:
          '토큰 `attention`, 네 번째 차원에서 헤드 1의 기여 `H_1 W_1^O` 값은 `{first}`, 헤드 2의 기여 `H_2 W_2^O` 값은 `{second}` 예요. 출력 `Y` 값은',
        says: {
          right: '맞아요. 더하기만 하면 층이 계산한 `{output}` 값이 나와요.',
          mean: '`{answer}`: 두 기여의 평균이에요. `Concat(…) W^O` 곱에는 나누는 일이 없어요.',
          product: '`{answer}`: 두 기여를 곱했어요. 헤드끼리는 곱하지 않고 더해요.',
          difference: '`{answer}`: 두 번째 기여를 뺐어요. 음수도 그대로 더해요.',
          firstOnly: '`{answer}`: 헤드 1의 기여뿐이에요. 헤드 2의 기여도 더해요.',
          secondOnly: '`{answer}`: 헤드 2의 기여뿐이에요. 헤드 1의 기여도 더해요.',
          below: '`{answer}`: 두 기여의 합보다 작아요.',
          above: '`{answer}`: 두 기여의 합보다 커요.',
        },
      },
    },
  },
};
