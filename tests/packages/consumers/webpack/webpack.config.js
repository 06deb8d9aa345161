export default {
  entry: './main.js',
  output: { clean: true },
};
