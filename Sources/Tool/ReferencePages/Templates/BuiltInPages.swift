/// The templates of this folder, as they were when the tool was built.
enum BuiltInPages {
    /// Each template's file name and text.
    static let files: [(name: String, bytes: [UInt8])] = [
        ("contract.html.mustache", PackageResources.contract_html_mustache),
        ("contract.md.mustache", PackageResources.contract_md_mustache),
        ("endpoint.html.mustache", PackageResources.endpoint_html_mustache),
        ("endpoint.md.mustache", PackageResources.endpoint_md_mustache),
        ("errors.html.mustache", PackageResources.errors_html_mustache),
        ("errors.md.mustache", PackageResources.errors_md_mustache),
        ("fields.html.mustache", PackageResources.fields_html_mustache),
        ("fields.md.mustache", PackageResources.fields_md_mustache),
        ("foot.html.mustache", PackageResources.foot_html_mustache),
        ("head.html.mustache", PackageResources.head_html_mustache),
        ("head.md.mustache", PackageResources.head_md_mustache),
        ("parts.html.mustache", PackageResources.parts_html_mustache),
        ("parts.md.mustache", PackageResources.parts_md_mustache),
        ("search.js.mustache", PackageResources.search_js_mustache),
        ("site.html.mustache", PackageResources.site_html_mustache),
        ("site.md.mustache", PackageResources.site_md_mustache),
        ("style.css.mustache", PackageResources.style_css_mustache),
        ("types.html.mustache", PackageResources.types_html_mustache),
        ("types.md.mustache", PackageResources.types_md_mustache),
    ]
}
