export default function (config) {
  config.addPassthroughCopy('mha');
}
