//! Names the shared library for the loader: programs ask for `libpalpate.so.0`, whatever the file is called.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let system = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    // The number is `PALPATE_ABI_VERSION`.
    match system.as_str() {
        "linux" | "freebsd" | "netbsd" | "openbsd" | "android" => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libpalpate.so.1");
        }
        "macos" => println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libpalpate.1.dylib"),
        _ => {}
    }
}
