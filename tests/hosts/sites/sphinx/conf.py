project = '트랜스포머 노트'
language = 'ko'
html_theme_options = {
    # The theme's grey would leave the figures' quieter text a contrast of 4.44 : 1.
    'body_text': '#222',
    # Else the theme itself is wider than a phone.
    'body_min_width': '0',
}
html_static_path = ['_static']
html_js_files = [('mha/standalone.js', {'type': 'module'})]
